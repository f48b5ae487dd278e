"""What nouns mean: synonyms, related kinds, inflected forms, and which kinds look alike."""
