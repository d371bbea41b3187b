/**
 * The model itself, inside its process: loads a GGUF file on the CPU and makes one answer at a time.
 * What was already read of a conversation stays in the context, so a next turn reads only its own text.
 */
import { randomInt } from 'node:crypto'
import type {
  ChatHistoryItem,
  Llama,
  LlamaContextSequence,
  LlamaModel,
  resolveChatWrapper,
  Token,
} from 'node-llama-cpp'
import type { Generation, PromptMessage } from './protocol.ts'
import { threadsFor, usableCores, type Threads } from './usable-cores.ts'

/** How an answer ended. */
export interface Finished {
  finishReason: 'stop' | 'length'
  promptTokens: number
  completionTokens: number
}

export interface LoadedModel {
  threads: Threads
  contextTokens: number
  /**
   * @param onText  called with each piece of the answer
   * @throws PromptTooLong; the signal's reason within one slice of the prompt or one token
   */
  generate(
    generation: Generation,
    options: { signal: AbortSignal; onText: (text: string) => void },
  ): Promise<Finished>
}

/** The prompt leaves no room for an answer. */
export class PromptTooLong extends Error {
  override readonly name = 'PromptTooLong'
  readonly promptTokens: number

  constructor(promptTokens: number) {
    super(`${promptTokens} prompt tokens`)
    this.promptTokens = promptTokens
  }
}

/**
 * The prompt is read in slices of this many tokens, because llama.cpp cannot be stopped inside one:
 * on 2 cores a slice takes 40 to 100 ms, and reading the whole at once would be only a tenth faster.
 */
const sliceTokens = 16
/** The library drops the oldest messages when the context is full; an answer ends before that. */
const reservedTokens = 4

/** @throws Error when the file is no model llama.cpp can read, or memory is short */
export async function loadModel(file: string, contextTokens: number): Promise<LoadedModel> {
  const threads = threadsFor(usableCores())
  // Loaded here and not at the top, so that a missing binary is an answer and not a dead process.
  const { getLlama, LlamaChat, LlamaLogLevel, resolveChatWrapper } = await import('node-llama-cpp')
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads.prompt,
    logLevel: LlamaLogLevel.disabled,
  })
  const model = await llama.loadModel({ modelPath: file })
  const context = await model.createContext({
    sequences: 1,
    contextSize: Math.min(contextTokens, model.trainContextSize),
    threads: { ideal: threads.prompt, min: 1 },
  })
  const sequence = context.getSequence()
  const chat = new LlamaChat({
    contextSequence: sequence,
    chatWrapper: resolveTemplate(model, resolveChatWrapper),
  })

  async function generate(
    generation: Generation,
    { signal, onText }: { signal: AbortSignal; onText: (text: string) => void },
  ): Promise<Finished> {
    const history = toHistory(generation.messages)
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history })
    const prompt = contextText.tokenize(model.tokenizer)
    const room = context.contextSize - prompt.length - reservedTokens
    if (room < 1) throw new PromptTooLong(prompt.length)

    await readPrompt(sequence, prompt.slice(0, -1), { most: threads.prompt, signal })
    llama.maxThreads = Math.min(llama.maxThreads, threads.generation)
    const before = sequence.tokenMeter.getState()
    const { metadata } = await chat.generateResponse(history, {
      ...sampling(generation),
      ...(generation.json ? { grammar: await grammarFor(llama, generation.json) } : {}),
      maxTokens: Math.min(generation.maxTokens, room),
      signal,
      onTextChunk: onText,
    })
    return {
      finishReason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
      promptTokens: prompt.length,
      completionTokens: sequence.tokenMeter.diff(before).usedOutputTokens,
    }
  }

  return { threads, contextTokens: context.contextSize, generate }
}

/**
 * Reads what the sequence does not hold yet, on more than one thread only while nothing else wants the
 * cores. Threads that lose a core hold up all the others at every step: beside a build, 2 threads on
 * 2 cores read 200 tokens in 2 to 11 s, one thread in 1.0 to 1.5 s. So the first slice is read by one
 * thread, and one that was held up is followed by slices of one thread.
 * @throws the signal's reason between two slices
 */
async function readPrompt(
  sequence: LlamaContextSequence,
  tokens: Token[],
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<void> {
  const { llama } = sequence.model
  llama.maxThreads = 1
  let isCalm = true
  await sequence.adaptStateToTokens(tokens, false)
  while (sequence.nextTokenIndex < tokens.length) {
    signal.throwIfAborted()
    const from = sequence.nextTokenIndex
    const wereHeldUp = measureHoldUps(llama.maxThreads)
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, from + sliceTokens))
    isCalm &&= !wereHeldUp()
    llama.maxThreads = isCalm ? most : 1
  }
  signal.throwIfAborted()
}

/** What the grammar cannot say of a schema, such as bounds of numbers, it leaves to the model. */
async function grammarFor(llama: Llama, { schema }: NonNullable<Generation['json']>) {
  if (schema === null) return await llama.getGrammarFor('json')
  // Checked boundary: what it does not know of a caller's schema the library passes over or refuses.
  return await llama.createGrammarForJsonSchema(schema as { type: 'object' })
}

/** Whether so many threads got less than nearly all of their cores' time since the call. */
function measureHoldUps(threads: number): () => boolean {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const wantedMs = (performance.now() - startedAt) * threads
    return (user + system) / 1000 < wantedMs * 0.8
  }
}

/**
 * The file's own chat template. Left to choose, the library takes its ChatML for SmolLM2, without the
 * template's default system prompt and with a second `<|im_start|>`: asked "Hi", the model then
 * answers with an invented news item. Files without a template get what the library knows best.
 */
function resolveTemplate(model: LlamaModel, resolve: typeof resolveChatWrapper) {
  const hasTemplate = model.fileInfo.metadata.tokenizer.chat_template !== undefined
  return resolve(model, { type: hasTemplate ? 'jinjaTemplate' : 'auto', warningLogs: false })
}

function toHistory(messages: readonly PromptMessage[]): ChatHistoryItem[] {
  const history = messages.map(({ role, text }): ChatHistoryItem => {
    return role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text }
  })
  return [...history, { type: 'model', response: [] }]
}

function sampling(generation: Generation) {
  const { temperature, topP, seed, stop, presencePenalty, frequencyPenalty } = generation
  return {
    temperature,
    // The wire's default temperature is 1, at which a small model loses itself in rare tokens. Asked
    // for the capital of France six times it named Paris five times at llama.cpp's own 0.05, six
    // times from 0.2 on. A caller that sets top_p makes the cut itself.
    ...(topP === null ? { minP: 0.3 } : { minP: 0.05, topP }),
    // The library's own default is the time in seconds: two answers within one would be alike.
    seed: seed === null ? randomInt(2 ** 31) : Math.abs(seed),
    customStopTriggers: stop,
    repeatPenalty: { presencePenalty, frequencyPenalty },
  }
}
