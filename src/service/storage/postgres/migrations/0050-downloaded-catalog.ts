/** The downloaded catalog of all nodes: one row, whose text is null after a return to the included catalog. */
export const downloadedCatalog = `
  CREATE TABLE downloaded_catalog (
    is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
    revision BIGINT NOT NULL,
    text TEXT COLLATE "C"
  );
`
