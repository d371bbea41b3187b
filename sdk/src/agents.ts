import type { OpenAI } from 'openai'
import type { APIPromise } from 'openai/core/api-promise'
import type { Stream } from 'openai/core/streaming'
import type { Chat, ChatCompletion, ChatCompletionChunk } from './chat.ts'

type AgentModel = `agent:${string}`

/** An agent's answer: the text of its last step, with `_meta` in the agents' form. */
export type AgentCompletion = ChatCompletion<AgentModel>
/** A piece of an agent's streamed answer; the last one has `_meta`. */
export type AgentChunk = ChatCompletionChunk<AgentModel>

/** A text, or the messages of a conversation whose last one is the user's. */
export type AgentInput = string | OpenAI.Chat.ChatCompletionMessageParam[]

/** OpenAI's options of a request (`signal`, `timeout` in ms, `headers`, `maxRetries`), and `stream`. */
export type AgentOptions<IsStreamed extends boolean> = Omit<OpenAI.RequestOptions, 'stream'> & {
  stream?: IsStreamed
}

/** `client.agents`: runs the agents that are stored in Modelport. */
export class Agents {
  readonly #client: { chat: Chat }

  constructor(client: { chat: Chat }) {
    this.#client = client
  }

  /**
   * Runs an agent on the client's router.
   * @param name  the agent's name, such as `summarise-then-translate`
   * @returns the answer, or with `stream: true` its pieces. Rejects with the code `agent_not_found` for an unknown
   *   name, and with the code and status of a step that failed (`param` is the step's id)
   */
  run(name: string, input: AgentInput, options?: AgentOptions<false>): APIPromise<AgentCompletion>
  run(name: string, input: AgentInput, options: AgentOptions<true>): APIPromise<Stream<AgentChunk>>
  run(
    name: string,
    input: AgentInput,
    options: AgentOptions<boolean> = {},
  ): APIPromise<AgentCompletion | Stream<AgentChunk>> {
    const { stream = false, ...requestOptions } = options
    const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input
    const body = { model: `agent:${name}` as const, messages }
    const { completions } = this.#client.chat
    return stream
      ? completions.create({ ...body, stream: true }, requestOptions)
      : completions.create(body, requestOptions)
  }
}
