import type { Command } from 'commander'
import type { RequestRecord } from '../../shared/entities.ts'
import type { TokenClasses } from '../../shared/requests/detail.ts'
import type { RefusedRequest } from '../../shared/requests/refusal.ts'
import { statusOf } from '../errors.ts'
import type { Workspace } from '../wiring/workspace.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { maxLimit, readLimit } from './option-values.ts'
import type { Columns } from './output.ts'

const columns: Columns<RequestRecord> = {
  STARTED: ({ startedAtMs }) => new Date(startedAtMs).toISOString(),
  REQUEST: ({ id }) => id,
  SOURCE: ({ source }) => source,
  STATUS: ({ status }) => status,
  MODEL: ({ modelUsed }) => modelUsed,
  STEP: ({ stepId }) => stepId,
  DECISION: ({ routerDecision }) => routerDecision,
  MS: ({ latencyMs }) => Math.round(latencyMs),
  USD: ({ costNanoUsd }) => (costNanoUsd / 1e9).toFixed(6),
  'CO2 G': ({ carbonGrams }) => carbonGrams.toFixed(3),
  CACHE: ({ cachedFrom }) => (cachedFrom === null ? null : 'hit'),
  ERROR: ({ errorCode }) => errorCode,
}

const refusedColumns: Columns<RefusedRequest> = {
  TIME: ({ atMs }) => new Date(atMs).toISOString(),
  REQUEST: ({ id }) => id,
  STATUS: ({ code }) => statusOf(code),
  ERROR: ({ code }) => code,
  DOOR: ({ door }) => door,
  KEY: ({ apiKeyId }) => apiKeyId,
  ROUTER: ({ routerId }) => routerId,
}

type ShownRequest = RequestRecord & { client: string | null; tokens: TokenClasses | null }

/** One request has more lines than the list has columns. Tokens that the provider did not count are estimates. */
const shownColumns: Columns<ShownRequest> = {
  ...columns,
  'PROMPT TOKENS': (row) => row.reportedPromptTokens ?? row.estimatedPromptTokens,
  'OUTPUT TOKENS': (row) => row.reportedCompletionTokens ?? row.estimatedCompletionTokens,
  'CACHE READ': ({ tokens }) => tokens?.cacheRead ?? null,
  'CACHE WRITE': ({ tokens }) => tokens?.cacheWrite ?? null,
  CLIENT: ({ client }) => client,
}

export function registerRequests(program: Command, cli: Cli): void {
  const requests = program.command('requests')
  requests
    .command('show <id>')
    .description('show one request by its x-request-id')
    .option('--content', 'show prompt and answer, if the router logs content')
    .action((id: string, { content }: { content?: true }) =>
      cli.inWorkspace((workspace) =>
        content ? showContent(id, workspace, cli) : showRecord(id, workspace, cli),
      ),
    )
  requests
    .description('the latest requests, newest first')
    .option('--router <id>', 'only requests of this router')
    .option('--limit <number>', `number of requests, at most ${maxLimit}`, readLimit, 20)
    .option('--refused', 'requests refused before a model was tried')
    .action(({ router, limit, refused }: { router?: string; limit: number; refused?: true }) =>
      cli.inWorkspace(async ({ storage }) => {
        if (refused) {
          const newest = await storage.refusals.newest({ routerId: router, limit })
          return cli.output.table(newest, refusedColumns)
        }
        return cli.output.table(await storage.ledger.list({ routerId: router, limit }), columns)
      }),
    )
}

async function showRecord(id: string, { storage }: Workspace, { output }: Cli): Promise<void> {
  const found = await storage.ledger.get(id)
  if (found !== null) {
    const { record, detail } = found
    return output.record({ ...record, client: detail.client, tokens: detail.tokens }, shownColumns)
  }
  const refused = await storage.refusals.get(id)
  if (refused === null) throw new CommandFailed(`There is no request ${id}.`)
  output.record(refused, refusedColumns)
}

async function showContent(id: string, { storage }: Workspace, { output }: Cli): Promise<void> {
  const content = await storage.contents.get(id)
  if (content === null) {
    throw new CommandFailed(
      `No content is stored for the request ${id}. To store the content of later requests: modelport router update ROUTER --log-content DAYS`,
    )
  }
  const { request, isRequestCut, answer, isAnswerCut } = content
  const asked = `Request${isRequestCut ? ' (cut)' : ''}:\n${indented(request)}`
  const answered = answer === null ? ' none' : `\n${indented(answer)}`
  output.done(content, `${asked}\nAnswer${isAnswerCut ? ' (cut)' : ''}:${answered}`)
}

/** Indented JSON. Content that was cut is not valid JSON and stays unchanged. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
