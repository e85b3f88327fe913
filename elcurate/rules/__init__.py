"""Rules that find faults in corpora, and the fixes that some of them have."""
