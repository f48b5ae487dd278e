from .asset_database import AssetDatabase as AssetDatabase
from .house_export import save_procthor as save_procthor
from .house_file import is_house_file as is_house_file
from .house_import import import_house as import_house
