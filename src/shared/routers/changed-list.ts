/** The lists that the window reads again when they change. */
export type ChangedList =
  | 'providers'
  | 'models'
  | 'routers'
  | 'agents'
  | 'keys'
  | 'conversations'
  | 'refusals'
  | 'settings'
  | 'unexpected-calls'
  | 'findings'
  | 'broken-caches'
  | 'mcp'
