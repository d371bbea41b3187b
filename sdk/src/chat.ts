/** The types of chat completions: OpenAI's, with an optional `model` and with `_meta`. */
import type { OpenAI } from 'openai'
import type { APIPromise } from 'openai/core/api-promise'
import type { Stream } from 'openai/core/streaming'
import type { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import type { ExtractParsedContentFromParams } from 'openai/lib/parser'
import type { MetaFor } from './meta.ts'

type CreateParams = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

/** A model's name is optional in all of these; without it the router decides. */
type WithModel<Params, Model> = Omit<Params, 'model'> & {
  /** Absent, empty or `auto`: the router decides. Also `<provider>:<model_name>` or `agent:<name>`. */
  model?: Model
}

export type ChatParams<Model = string | undefined> = WithModel<CreateParams, Model>
export type ChatStreamParams<Model = string | undefined> = WithModel<
  OpenAI.Chat.ChatCompletionCreateParamsStreaming,
  Model
>

/** An answer in one piece. `Model` is the type of the request's `model`; its literal decides the form of `_meta`. */
export type ChatCompletion<Model = undefined> = OpenAI.Chat.ChatCompletion & {
  _meta: MetaFor<Model>
}

/** A piece of a stream; the last one has `_meta`. */
export type ChatCompletionChunk<Model = undefined> = OpenAI.Chat.ChatCompletionChunk & {
  _meta?: MetaFor<Model>
}

type Options = OpenAI.RequestOptions
type Complete<Params> = Params & { model: string }

/** `client.chat.completions`. All other methods are OpenAI's own. */
export interface ChatCompletions extends OpenAI.Chat.Completions {
  create<const Model extends string | undefined = undefined>(
    body: ChatParams<Model>,
    options?: Options,
  ): APIPromise<ChatCompletion<Model>>
  create<const Model extends string | undefined = undefined>(
    body: ChatStreamParams<Model>,
    options?: Options,
  ): APIPromise<Stream<ChatCompletionChunk<Model>>>
  create<const Model extends string | undefined = undefined>(
    body: ChatParams<Model> | ChatStreamParams<Model>,
    options?: Options,
  ): APIPromise<ChatCompletion<Model> | Stream<ChatCompletionChunk<Model>>>

  /** Parses structured output, as OpenAI's method does. */
  parse<Params extends ChatParams, Parsed = ExtractParsedContentFromParams<Complete<Params>>>(
    body: Params,
    options?: Options,
  ): APIPromise<ParsedCompletion<Parsed, Params['model']>>

  /** Streams with OpenAI's events and `finalChatCompletion()`; `metaOf` reads `_meta` of its result. */
  stream<
    Params extends WithModel<StreamHelperParams, string | undefined>,
    Parsed = ExtractParsedContentFromParams<Complete<Params>>,
  >(
    body: Params,
    options?: Options,
  ): ChatCompletionStream<Parsed>
}

type StreamHelperParams = Parameters<OpenAI.Chat.Completions['stream']>[0]
type ParsedCompletion<Parsed, Model> = OpenAI.Chat.ParsedChatCompletion<Parsed> & {
  _meta: MetaFor<Model>
}

export interface Chat extends OpenAI.Chat {
  completions: ChatCompletions
}
