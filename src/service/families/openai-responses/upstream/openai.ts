/**
 * OpenAI's own service, which has two wires. Chat completions is the faster one, because nothing is translated.
 * Models that are served only over the Responses API use that, and all models with the option `api: responses`.
 * A request that arrived in the form of the Responses API is sent there unchanged, unless the option is `chat`.
 */
import { HttpProvider } from '../../../providers/http-provider.ts'
import type { Provider, ProviderChunk, ProviderRequest } from '../../../providers/provider.ts'
import type { HttpConnection, Wire } from '../../../providers/wire.ts'
import { openAiChat } from '../../openai-chat/openai-chat.ts'
import { originalWire } from '../form.ts'
import { fitOriginal } from './fit-original.ts'
import { responsesFormat, responsesLacks } from './openai-responses.ts'
import { tokenCount } from './token-count.ts'
import { needsResponses, servesResponses } from './served-models.ts'

export const openAi: Wire = {
  create: (connection) => new OpenAi(connection),
  lacks: (model, options) => (usesResponses(model, options) ? responsesLacks : []),
}

function usesResponses(model: string, options: HttpConnection['options']): boolean {
  return options['api'] === 'responses' || needsResponses(model)
}

class OpenAi implements Provider {
  readonly #chat: Provider
  readonly #responses: Provider
  readonly #options: HttpConnection['options']
  readonly nearestEffort: Provider['nearestEffort']
  readonly embed: Provider['embed']
  readonly countTokens: Provider['countTokens']

  constructor(connection: HttpConnection) {
    this.#options = connection.options
    this.#chat = openAiChat.create(connection)
    this.nearestEffort = this.#chat.nearestEffort
    this.embed = this.#chat.embed
    const responses = new HttpProvider(connection, { ...responsesFormat(connection), tokenCount })
    this.#responses = responses
    // With this option, the address may have nothing but chat completions.
    this.countTokens = this.#options['api'] === 'chat' ? undefined : responses.countTokens
  }

  readonly leftOut: Provider['leftOut'] = (body, model) =>
    this.#providerOf(model).leftOut?.(body, model) ?? []

  readonly originalWire = (model: string): string | undefined => {
    const isChat = this.#options['api'] === 'chat' && !needsResponses(model)
    return !isChat && servesResponses(model) ? originalWire : undefined
  }

  readonly fitOriginal = fitOriginal

  readonly takesChatForm = (model: string): boolean => !usesResponses(model, this.#options)

  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderChunk> {
    return this.#providerFor(request).stream(request, signal)
  }

  complete(request: ProviderRequest, signal: AbortSignal): Promise<ProviderChunk> {
    return this.#providerFor(request).complete(request, signal)
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    return this.#chat.listModels(signal)
  }

  async close(): Promise<void> {
    await Promise.all([this.#chat.close(), this.#responses.close()])
  }

  #providerFor({ model, original }: ProviderRequest): Provider {
    return original === undefined ? this.#providerOf(model) : this.#responses
  }

  #providerOf(model: string): Provider {
    return usesResponses(model, this.#options) ? this.#responses : this.#chat
  }
}
