"""What views really show of objects, from geometry alone, and which views answer a question."""
