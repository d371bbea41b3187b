/**
 * `modelport mcp`: a server of the Model Context Protocol on stdin and stdout, by which an assistant asks a router and
 * reads what it costs. Nothing listens on the network, and no tool changes anything.
 */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Command } from 'commander'
import { z } from 'zod'
import packageFile from '../../../package.json' with { type: 'json' }
import { endOfKey } from '../../shared/app/key-rotation.ts'
import { sha256OfKey } from '../api-key-format.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { onlyRouter } from './connect.ts'
import {
  askRouter,
  compareModels,
  previewChoice,
  readBudget,
  readSpending,
  type Told,
  type ToolContext,
} from './mcp-tools.ts'

export function registerMcp(program: Command, cli: Cli): void {
  program
    .command('mcp')
    .description(
      'let an assistant ask a router and read its costs, over the Model Context Protocol on stdin and stdout',
    )
    .option('--router <id>', 'the router it asks; may be left out if there is only one')
    .addHelpText(
      'after',
      '\nThe API key comes from MODELPORT_API_KEY. Make one with the assistant’s configuration: modelport connect --list',
    )
    .action(async ({ router }: { router?: string }) => {
      const apiKey = cli.env['MODELPORT_API_KEY']
      if (!apiKey) throw new UsageError('MODELPORT_API_KEY has no API key of Modelport.')
      await serve(cli, { cli, apiKey, routerId: await startUse(cli, { apiKey, router }) })
    })
}

/**
 * Counts the start as a use of the key: assistants may ask much later, and Modelport revokes keys that stay unused for an hour.
 * @returns the router
 * @throws UsageError for a key that does not work with the router, or several routers
 */
async function startUse(
  cli: Cli,
  { apiKey, router }: { apiKey: string; router: string | undefined },
): Promise<string> {
  return await cli.inWorkspace(async ({ dashboard, configuration, storage, now }) => {
    const key = configuration.current().apiKeysBySha256.get(sha256OfKey(apiKey))
    if (!key || endOfKey(key, now()) !== null)
      throw new UsageError('The key in MODELPORT_API_KEY is unknown, revoked or expired.')
    const routerId = router ?? (await onlyRouter(dashboard))
    if (!configuration.current().routers.has(routerId))
      throw new UsageError(`There is no router ${routerId}. List them: modelport router list`)
    if (key.routers !== 'all' && !key.routers.includes(routerId))
      throw new UsageError(`The key in MODELPORT_API_KEY may not use the router ${routerId}.`)
    await storage.configuration.touchApiKeys({ [key.id]: now() })
    return routerId
  })
}

/** Runs until the assistant closes its end. */
async function serve({ stdin, stdout }: Cli, context: ToolContext): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout)
  const ended = new Promise<void>((resolve) => stdin.once('close', resolve).once('end', resolve))
  const handle = serveStdio(() => createServer(context), { transport })
  await ended
  await handle.close()
}

const prompt = z.string().min(1).describe('The whole question: the model sees nothing else.')
const system = z.string().optional().describe('A system prompt.')
const maxTokens = z.int().min(1).optional().describe('The longest answer, in tokens.')
const question = { prompt, system, maxTokens }

function createServer(context: ToolContext): McpServer {
  const server = new McpServer({ name: 'modelport', version: packageFile.version })
  addAskingTools(server, context)
  addReadingTools(server, context)
  return server
}

function addAskingTools(server: McpServer, context: ToolContext): void {
  const asks = { readOnlyHint: true, openWorldHint: true }
  server.registerTool(
    'ask',
    {
      title: 'Ask a model',
      description:
        'Sends a prompt to the router, which picks the model. Returns the answer, the model, and what it cost. Costs money.',
      inputSchema: z.object({
        ...question,
        model: z
          .string()
          .optional()
          .describe('A model of the router as provider:name. Left out, the router picks one.'),
      }),
      annotations: asks,
    },
    (input, { mcpReq }) => result(() => askRouter(context, { ...input, signal: mcpReq.signal })),
  )
  server.registerTool(
    'compare',
    {
      title: 'Compare models',
      description:
        'Sends one prompt to two to four models of the router. Returns each answer and its cost. Costs money.',
      inputSchema: z.object({
        ...question,
        models: z.array(z.string().min(1)).min(2).max(4).describe('Models as provider:name.'),
      }),
      annotations: asks,
    },
    ({ models, ...input }, { mcpReq }) =>
      result(() => compareModels(context, models, { ...input, signal: mcpReq.signal })),
  )
}

function addReadingTools(server: McpServer, context: ToolContext): void {
  const reads = { readOnlyHint: true, openWorldHint: false }
  server.registerTool(
    'preview',
    {
      title: 'Preview the choice',
      description:
        'Says which model the router would pick for a prompt, why, and the expected cost. Calls no model.',
      inputSchema: z.object(question),
      annotations: reads,
    },
    (input, { mcpReq }) =>
      result(() => previewChoice(context, { ...input, signal: mcpReq.signal })),
  )
  server.registerTool(
    'spend',
    {
      title: 'Spending',
      description: 'Requests, tokens, cost and CO2e of the router in the last days.',
      inputSchema: z.object({
        days: z.int().min(1).max(366).default(7),
        by: z.enum(['model', 'key', 'day']).default('model'),
      }),
      annotations: reads,
    },
    (input) => result(() => readSpending(context, input)),
  )
  server.registerTool(
    'budget',
    {
      title: 'Budget',
      description:
        'The budgets and the daily limit of the router and of this API key, and what is used of them.',
      inputSchema: z.object({}),
      annotations: reads,
    },
    () => result(() => readBudget(context)),
  )
}

/** Errors are results too, so that the assistant can read them and go on. */
async function result(work: () => Promise<Told>): Promise<CallToolResult> {
  try {
    const { text, data } = await work()
    return { content: [{ type: 'text', text }], structuredContent: data }
  } catch (error) {
    const isExpected = [CommandFailed, DashboardError, StorageUnavailable, UsageError].some(
      (kind) => error instanceof kind,
    )
    if (!isExpected) throw error
    return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
  }
}
