import { storedDifferences } from '../src/service/upkeep/money-check.ts'
import { openOwnWorkspace } from './targets.ts'

/** @returns what the service's hourly check found, and what all hours of the last day differ in now */
export async function countMoneyFindings(dataDir: string): Promise<number> {
  const workspace = await openOwnWorkspace(dataDir)
  const found = await workspace.storage.findings.list()
  const differences = await storedDifferences(workspace.storage, Date.now())
  await workspace.close()
  return found.length + differences.length
}
