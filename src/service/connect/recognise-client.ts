import { tools } from './tools/index.ts'

/** The name of the tool that sends this `user-agent`; null when it is unknown. */
export function recogniseClient(userAgent: string | null): string | null {
  if (userAgent === null) return null
  return tools.find((tool) => tool.userAgent?.test(userAgent))?.name ?? null
}
