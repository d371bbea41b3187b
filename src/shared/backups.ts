/** How many of each a database has. */
export interface StorageCounts {
  routers: number
  keys: number
  requests: number
  conversations: number
}
