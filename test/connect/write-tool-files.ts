/** Writes a tool's files into another home folder, as `modelport connect TOOL --write` does. */
import { planFile, writePlans } from '../../src/service/connect/tool-files.ts'
import type { Connection, Home, Tool } from '../../src/service/connect/tool.ts'
import { tools } from '../../src/service/connect/tools/index.ts'

export function toolOf(id: string): Tool {
  const tool = tools.find((each) => each.id === id)
  if (!tool) throw new Error(`there is no tool ${id}`)
  return tool
}

/** @returns the paths of its files */
export async function writeToolFiles(
  tool: Tool,
  connection: Connection,
  home: Home,
): Promise<string[]> {
  const plans = await Promise.all((tool.files?.(connection, home) ?? []).map(planFile))
  await writePlans(plans)
  return plans.map(({ path }) => path)
}
