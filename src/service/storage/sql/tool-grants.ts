/** Folders and hosts in which a tool may be called without a question: `ToolGrant` of shared/chat/tools.ts. */

const sqlite = `
  ALTER TABLE mcp_tools ADD COLUMN grants TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(grants));
`

const postgres = `
  ALTER TABLE mcp_tools ADD COLUMN grants TEXT COLLATE "C" NOT NULL DEFAULT '[]';
`

export const toolGrants = { version: 130, readableFrom: 10, sqlite, postgres }
