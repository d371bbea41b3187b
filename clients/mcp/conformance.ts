/** MCP's own conformance suite, run against the connections of the chat's tools: every scenario that a revision requires. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installClient } from '../install.ts'

const suite = {
  id: 'mcp-conformance',
  packages: { from: 'npm', versions: { '@modelcontextprotocol/conformance': '0.2.0-alpha.12' } },
} as const

/** The protocols of servers that the chat speaks to. */
const revisions = ['2026-07-28', '2025-11-25'] as const

/** @returns the exit code: 0 when every required scenario passes. Extensions run too, and are not counted. */
export async function runMcpConformance(cacheDir: string): Promise<number> {
  const installed = await installClient(suite, cacheDir)
  const packageDir = join(installed, 'node_modules', '@modelcontextprotocol', 'conformance')
  const program = join(packageDir, 'dist', 'index.js')
  const client = `${process.execPath} --no-warnings ${join(import.meta.dirname, 'client.ts')}`
  // The suite saves its results where it runs.
  const folder = await mkdtemp(join(tmpdir(), 'modelport-conformance-'))
  try {
    let failed = 0
    for (const revision of revisions) {
      const args = [program, 'client', '--command', client, '--requirements', revision]
      const { code, output } = await runProgram(args, folder)
      const summary = output.slice(output.indexOf('=== SUITE SUMMARY ==='))
      process.stdout.write(`MCP ${revision}\n${summary}\n`)
      if (code !== 0) failed += 1
    }
    return failed === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runProgram(
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  const running = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  running.stderr.resume()
  const code = await new Promise<number | null>((resolve, reject) => {
    running.once('error', reject)
    running.once('close', resolve)
  })
  return { code, output }
}
