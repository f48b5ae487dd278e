from .asset_database import AssetDatabase as AssetDatabase
from .house_export import save_procthor as save_procthor
from .house_file import holds_houses as holds_houses, house_count as house_count, is_house_file as is_house_file
from .house_import import ImportedHouse as ImportedHouse, import_house as import_house
