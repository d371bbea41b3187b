/** Requests of coding agents in the form of the real ones, each with what it says of who asks. */
import type { RequestKind } from '../../src/shared/requests/session-step.ts'
import type { Asker, ArrivedRequest } from '../../src/service/chat/sessions/asker.ts'
import { readMessages } from '../../src/service/families/anthropic/endpoint/read-request.ts'
import type { MessagesRequest } from '../../src/service/families/anthropic/endpoint/request-schema.ts'
import { readResponses } from '../../src/service/families/openai-responses/endpoint/read-request.ts'
import type { ResponsesRequest } from '../../src/service/families/openai-responses/endpoint/request-schema.ts'
import type { ChatRequest } from '../../src/shared/chat/chat.ts'

export interface AgentRequest {
  what: string
  door: 'chat' | 'messages' | 'responses'
  headers: Record<string, string>
  /** What the client adds when it is told to give hints. */
  hints: Record<string, string>
  body: object
  expected: Pick<Asker, 'client' | 'session' | 'agent' | 'kind'>
}

/** The request as its door hands it on. */
export function arrived({ door, headers, body }: Pick<AgentRequest, 'door' | 'headers' | 'body'>) {
  const text = JSON.stringify(body)
  // The fixtures and recordings have the form of their door, whose schema other tests hold.
  if (door === 'chat')
    return { headers, body: body as ChatRequest, fields: {} } satisfies ArrivedRequest
  const read =
    door === 'messages'
      ? readMessages(body as MessagesRequest, { text, headers, query: {} })
      : readResponses(body as ResponsesRequest, { text, headers })
  return { headers, body: read.body, fields: read.original.fields } satisfies ArrivedRequest
}

const readTool = { name: 'Read', input_schema: { type: 'object' } }
const reminder = '<system-reminder>\nToday is Tuesday.\n</system-reminder>'
const titleSchema = {
  type: 'json_schema',
  schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
}
const summaryRequest =
  'CRITICAL: Respond with text only. Do NOT call any tools.\n\n' +
  'Your task is to create a detailed summary of the conversation so far.'

interface ClaudeCase {
  kind: RequestKind
  session?: string
  agent?: string
  headers?: Record<string, string>
  /** The class that the client gives as a hint. */
  named?: string
  last?: string
  body?: object
}

const text = (value: string) => ({ type: 'text', text: value })

function claudeCode(what: string, given: ClaudeCase): AgentRequest {
  const { kind, session = 'session-a', agent = null, headers = {}, named = kind } = given
  const messages = [
    { role: 'user', content: [text(reminder), text('Add a retry to the upload.')] },
    ...(given.last === undefined ? [] : [{ role: 'assistant', content: 'Done.' }]),
    ...(given.last === undefined ? [] : [{ role: 'user', content: [text(given.last)] }]),
  ]
  const system = [
    text('x-anthropic-billing-header: cc_version=2.1.330;'),
    text('You are an agent.'),
  ]
  return {
    what: `Claude Code: ${what}`,
    door: 'messages',
    headers: {
      'user-agent': 'claude-cli/2.1.330 (external, cli)',
      'x-claude-code-session-id': session,
      ...(agent === null ? {} : { 'x-claude-code-agent-id': agent }),
      ...headers,
    },
    hints: { 'x-claude-code-request-class': named },
    body: {
      model: 'claude-opus-5-5',
      max_tokens: 32_000,
      system,
      messages,
      tools: [readTool],
      ...given.body,
    },
    expected: { client: 'claude-code', session, agent, kind },
  }
}

const safetyPrompt = [
  {
    role: 'user',
    content: '<classifier_system_prompt>\nJudge the action.\n</classifier_system_prompt>',
  },
  { role: 'user', content: '<transcript>\nBash rm -rf build\n</transcript>' },
]

const ofClaudeCode: AgentRequest[] = [
  claudeCode('a first request', { kind: 'main' }),
  claudeCode('a request after a tool’s result', {
    kind: 'main',
    body: {
      messages: [
        { role: 'user', content: 'Read it.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'alpha' }],
        },
      ],
    },
  }),
  claudeCode('another session with the same first prompt', { kind: 'main', session: 'session-b' }),
  claudeCode('a person who asks for a summary', {
    kind: 'main',
    last: 'Give me a detailed summary of it.',
  }),
  claudeCode('a subagent', { kind: 'subagent', agent: 'agent-1' }),
  claudeCode('a subagent of a workflow', { kind: 'subagent', agent: 'agent-2', named: 'workflow' }),
  claudeCode('a subagent that only the billing line names', {
    kind: 'subagent',
    body: {
      system: [text('x-anthropic-billing-header: cc_version=2.1.330; cc_is_subagent=true;')],
    },
  }),
  claudeCode('a compaction', { kind: 'compaction', last: summaryRequest }),
  claudeCode('a title', {
    kind: 'title',
    named: 'auxiliary',
    body: { tools: [], output_config: { format: titleSchema } },
  }),
  claudeCode('a recap', {
    kind: 'title',
    named: 'auxiliary',
    last: 'The user stepped away and is coming back. Recap in one sentence.',
  }),
  claudeCode('a safety check', {
    kind: 'safety',
    named: 'auxiliary',
    body: {
      tools: undefined,
      max_tokens: 64,
      stop_sequences: ['</block>'],
      messages: safetyPrompt,
    },
  }),
  claudeCode('the second look of a safety check', {
    kind: 'safety',
    named: 'auxiliary',
    body: { tools: undefined, max_tokens: 4_096, messages: safetyPrompt },
  }),
  claudeCode('a safety check that grades', {
    kind: 'safety',
    named: 'auxiliary',
    body: {
      tools: undefined,
      max_tokens: 64,
      stop_sequences: ['</severity>'],
      messages: [{ role: 'user', content: '<transcript>\nBash rm -rf build\n</transcript>' }],
    },
  }),
  claudeCode('the second look of a check that grades', {
    kind: 'safety',
    named: 'auxiliary',
    body: {
      tools: undefined,
      messages: [
        {
          role: 'user',
          content: [
            text('<transcript>\nBash rm -rf build\n</transcript>'),
            text('Use <thinking> first, then respond with <severity>N</severity>. No other text.'),
          ],
        },
      ],
    },
  }),
  claudeCode('a safety check of few tokens', {
    kind: 'safety',
    named: 'auxiliary',
    body: { tools: [], max_tokens: 4, stop_sequences: ['</block>'], messages: safetyPrompt },
  }),
  claudeCode('a probe', {
    kind: 'probe',
    named: 'auxiliary',
    body: { tools: undefined, max_tokens: 1 },
  }),
  claudeCode('a web search', {
    kind: 'web_search',
    named: 'auxiliary',
    body: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }] },
  }),
  {
    ...claudeCode('a session that only the metadata name', {
      kind: 'main',
      session: 'session-c',
      body: { metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: 'session-c' }) } },
    }),
    headers: { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' },
  },
]

interface CodexCase {
  kind: RequestKind
  thread?: string
  headers?: Record<string, string>
  metadata?: object
  last?: string
  body?: object
}

function codex(
  what: string,
  { kind, thread = 'root', headers = {}, ...given }: CodexCase,
): AgentRequest {
  const said = (role: string, value: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text: value }],
  })
  return {
    what: `Codex: ${what}`,
    door: 'responses',
    headers: {
      'user-agent': 'codex_exec/0.169.0 (Linux; x64)',
      'session-id': 'root',
      'thread-id': thread,
      ...headers,
    },
    hints: {
      'x-codex-turn-metadata': JSON.stringify({
        request_kind: 'turn',
        turn_id: 'turn-1',
        ...given.metadata,
      }),
    },
    body: {
      model: 'gpt-6.1-sol',
      input: [
        said('developer', 'You are Codex.'),
        said('user', '<environment_context>\n<cwd>/project</cwd>\n</environment_context>'),
        said('user', given.last ?? 'Add a retry to the upload.'),
      ],
      tools: [{ type: 'function', name: 'exec_command', parameters: { type: 'object' } }],
      prompt_cache_key: 'root',
      store: false,
      ...given.body,
    },
    expected: { client: 'codex', session: 'root', agent: thread === 'root' ? null : thread, kind },
  }
}

const ofCodex: AgentRequest[] = [
  codex('a first request', { kind: 'main' }),
  codex('a child', {
    kind: 'subagent',
    thread: 'child',
    headers: { 'x-codex-parent-thread-id': 'root' },
  }),
  codex('a review', {
    kind: 'subagent',
    thread: 'child-2',
    headers: { 'x-openai-subagent': 'review' },
  }),
  codex('a child that only its thread tells', { kind: 'subagent', thread: 'child-3' }),
  codex('a compaction', {
    kind: 'compaction',
    metadata: { request_kind: 'compaction' },
    last: 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.',
    body: { tools: [] },
  }),
  codex('a compaction at the vendor', {
    kind: 'compaction',
    metadata: { request_kind: 'compaction' },
    body: {
      input: [{ type: 'message', role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }],
    },
  }),
]

function opencode(
  what: string,
  kind: RequestKind,
  given: Partial<AgentRequest> = {},
): AgentRequest {
  const { headers = {}, body = {}, door = 'chat', expected } = given
  const tool =
    door === 'chat' ? { type: 'function', function: { name: 'bash', parameters: {} } } : readTool
  return {
    what: `opencode: ${what}`,
    door,
    headers: {
      'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils/4.0.23',
      'x-session-id': 'ses_a',
      ...headers,
    },
    hints: {},
    body: {
      model: 'auto',
      max_tokens: 8_000,
      messages: [{ role: 'user', content: 'Add a retry to the upload.' }],
      tools: [tool],
      ...body,
    },
    expected: { client: 'opencode', session: 'ses_a', agent: null, kind, ...expected },
  }
}

const asksForTitle = ['Generate a title for this conversation:\n', 'Add a retry to the upload.']

const asksForSummary = 'Provide a detailed prompt for continuing our conversation above.'
const asksSummarizer = [
  { role: 'system', content: 'You are a context summarization agent. Only output the summary.' },
  { role: 'user', content: 'Here is the conversation so far:\n\n<conversation>…' },
]

const ofOpencode: AgentRequest[] = [
  opencode('a first request', 'main'),
  opencode('a first request to Messages', 'main', { door: 'messages' }),
  opencode('a title', 'title', {
    body: {
      tools: undefined,
      messages: asksForTitle.map((content) => ({ role: 'user', content })),
    },
  }),
  opencode('a title at Messages', 'title', {
    door: 'messages',
    body: { tools: undefined, messages: [{ role: 'user', content: asksForTitle.map(text) }] },
  }),
  opencode('a subagent', 'subagent', {
    headers: { 'x-session-id': 'ses_b', 'x-parent-session-id': 'ses_a' },
    expected: { client: 'opencode', session: 'ses_a', agent: 'ses_b', kind: 'subagent' },
  }),
  opencode('a compaction', 'compaction', {
    body: { tools: undefined, messages: [{ role: 'user', content: asksForSummary }] },
  }),
  opencode('a compaction by an agent of its own', 'compaction', {
    body: { tools: undefined, messages: asksSummarizer },
  }),
]

const nobody = { client: null, session: null, agent: null, kind: 'main' } as const

const ofOthers: AgentRequest[] = [
  {
    what: 'another program with a session header of its own',
    door: 'chat',
    headers: { 'user-agent': 'OpenAI/Python 2.54.0', 'x-session-id': 'shared' },
    hints: {},
    body: {
      messages: [{ role: 'user', content: 'Generate a title for this conversation' }],
      max_tokens: 2,
    },
    expected: nobody,
  },
  {
    what: 'another program that stops at the same word',
    door: 'messages',
    headers: {},
    hints: {},
    body: {
      model: 'auto',
      max_tokens: 64,
      stop_sequences: ['</block>'],
      messages: [{ role: 'user', content: 'Write a <block> of text.' }],
    },
    expected: nobody,
  },
  {
    what: 'a safety check by a program without a name',
    door: 'messages',
    headers: {},
    hints: {},
    body: {
      model: 'claude-opus-5-5',
      max_tokens: 64,
      stop_sequences: ['</block>'],
      messages: safetyPrompt,
    },
    expected: { ...nobody, kind: 'safety' },
  },
]

export const agentRequests: readonly AgentRequest[] = [
  ...ofClaudeCode,
  ...ofCodex,
  ...ofOpencode,
  ...ofOthers,
]
