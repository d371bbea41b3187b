/** A client in the form of Claude Code whose sessions are changed at random places, and two vendors that refuse what theirs refuse. */
import { ModelChance } from '../../bench/sessions/chance.ts'
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import { errorReply, type FakeModel, type FakeRequest } from '../fake-provider.ts'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import {
  defaultUsage,
  type AnswerMeaning,
  type FakeReply,
  type RecordedRequest,
} from '../upstreams/harness.ts'

/** What the vendors do next, and what they refused so far. */
export class RandomVendors {
  readonly chance: ModelChance
  /** Models that fail the next request that they get. */
  readonly failing = new Set<string>()
  readonly refused: string[] = []
  #answers = 0

  constructor(seed: number) {
    this.chance = new ModelChance(seed)
  }

  /** Claude's form. It knows its own signatures only, of whichever of its models. */
  messages(request: RecordedRequest): FakeReply {
    const problems = [...anthropicFormat.problems(request), ...this.#foreignThinking(request)]
    const model = String(fieldsOf(request.body)['model'])
    if (problems.length > 0) return this.#refuse(problems)
    if (this.failing.delete(`claude:${model}`)) return failure
    const reply = anthropicFormat.whole(this.#nextAnswer('toolu'), request)
    const body = String(reply.body).replaceAll(
      '"signature":"signature"',
      `"signature":"${ownSign}"`,
    )
    return { ...reply, body }
  }

  /** OpenAI's form: it takes no thinking, and a result only for a call that came before. */
  chat({ body }: FakeRequest): FakeModel {
    const messages = listOf(body?.['messages']).map(fieldsOf)
    const calls = new Set(
      messages.flatMap(({ tool_calls: made }) => listOf(made).map((one) => fieldsOf(one)['id'])),
    )
    const problems = messages.flatMap(({ role, tool_call_id: id, content }) => [
      ...(role === 'tool' && !calls.has(id) ? [`a result without its call: ${String(id)}`] : []),
      ...(JSON.stringify(content ?? null).includes('"thinking"')
        ? ['a part of type thinking']
        : []),
    ])
    if (problems.length > 0) return { reply: this.#refuse(problems) }
    if (this.failing.delete(`fake:${String(body?.['model'])}`)) return { reply: failure }
    const { toolCalls, texts, usage } = this.#nextAnswer('call')
    return {
      reasoning: 'Let me see.',
      text: texts.join(''),
      toolCalls: toolCalls.map(({ id, name, arguments: text }, index) => ({
        index,
        id,
        name,
        argumentPieces: [text],
      })),
      usage: {
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        total_tokens: usage.promptTokens + usage.completionTokens,
      },
    }
  }

  #foreignThinking({ body }: RecordedRequest): string[] {
    const blocks = listOf(fieldsOf(body)['messages']).flatMap((message) =>
      listOf(fieldsOf(message)['content']).map(fieldsOf),
    )
    const thoughts = blocks.filter(({ type }) => type === 'thinking')
    return thoughts.flatMap(({ signature }) =>
      signature === ownSign ? [] : [`Invalid signature in thinking block: ${String(signature)}`],
    )
  }

  #refuse(problems: readonly string[]) {
    this.refused.push(...problems)
    return errorOf(400, problems.join('; '))
  }

  #nextAnswer(prefix: string): AnswerMeaning {
    this.#answers += 1
    const usage = {
      ...defaultUsage,
      promptTokens: 1_000 + Math.floor(this.chance.next() * 50_000),
      completionTokens: 1 + Math.floor(this.chance.next() * 900),
    }
    const isCall = this.chance.next() < 0.75
    const call = { id: `${prefix}_${this.#answers}`, name: 'Read', arguments: '{"path":"a"}' }
    return {
      texts: isCall ? [] : ['Done.'],
      reasoning: ['Let me see.'],
      toolCalls: isCall ? [call] : [],
      stop: null,
      usage,
    }
  }
}

const ownSign = 'EqoBCkgIARABGAI='
const failure = errorOf(500, 'the model failed')

function errorOf(status: number, message: string) {
  return { headers: {}, ...errorReply(status, { message }) }
}

/** An agent's conversation as its client keeps it. */
export class RandomAgent {
  readonly session: string
  readonly agent: string | null
  messages: object[] = [{ role: 'user', content: 'Add a retry to the upload.' }]
  /** The model whose call waits for its result; null for none. */
  maker: string | null = null
  steps = 0

  constructor(session: string, agent: string | null) {
    this.session = session
    this.agent = agent
  }

  headers(kind: 'main' | 'subagent' | 'compaction' | 'auxiliary'): Record<string, string> {
    return {
      'user-agent': 'claude-cli/2.1.330 (external, cli)',
      'x-claude-code-session-id': this.session,
      'x-claude-code-request-class': kind,
      ...(this.agent !== null && { 'x-claude-code-agent-id': this.agent }),
    }
  }

  get body(): object {
    return { model: 'auto', max_tokens: 900, tools, messages: this.messages }
  }

  /** @param model  that answered. @returns ids that the conversation had before */
  answered(content: readonly unknown[], model: string): string[] {
    this.steps += 1
    const ids = content
      .map(fieldsOf)
      .flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
    const known = JSON.stringify(this.messages)
    this.maker = ids.length > 0 ? model : null
    const results = ids.map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'line '.repeat(40),
    }))
    const next = results.length > 0 ? results : 'And now the next one.'
    this.messages = [
      ...this.messages,
      { role: 'assistant', content },
      { role: 'user', content: next },
    ]
    return ids.filter((id) => known.includes(`"${id}"`))
  }

  /** Begins anew from a summary. */
  compacted(): void {
    this.messages = [{ role: 'user', content: 'Go on from this summary: the retry is half done.' }]
    this.maker = null
  }
}

const tools = [
  {
    name: 'Read',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
]
