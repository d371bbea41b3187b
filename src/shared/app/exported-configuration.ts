/** The configuration as a file, with counts of its parts. */
export interface ExportedConfiguration {
  text: string
  providers: number
  models: number
  routers: number
  agents: number
}
