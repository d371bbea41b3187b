/**
 * The model itself, inside its process: loads a GGUF file and generates one answer at a time. The
 * context keeps the conversation read so far, so the next turn reads only its own text.
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
import { checkHead } from './check-head.ts'
import { EndlessLoop } from './endless-loop.ts'
import { factsOf } from './file-facts.ts'
import type { Generation, Gpu, LoadedFacts, LoadRequest, PromptMessage } from './protocol.ts'
import { threadsFor, usableCores, type Threads } from './usable-cores.ts'

/** How an answer ended. */
export interface GenerationResult {
  finishReason: 'stop' | 'length'
  promptTokens: number
  completionTokens: number
}

export interface LoadedModel extends LoadedFacts {
  /** @throws PromptTooLong; the signal's reason within one slice of the prompt or one token */
  generate(generation: Generation, options: GenerateOptions): Promise<GenerationResult>
}

export interface GenerateOptions {
  signal: AbortSignal
  /** Called with each piece of the answer, and of the reasoning before it. */
  onText(text: string, isThought: boolean): void
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
 * The prompt is read in slices of this many tokens, because llama.cpp cannot be stopped within a slice. On 2
 * cores a slice takes 40 to 100 ms, and reading the whole prompt at once would be only a tenth faster.
 */
const sliceTokens = 16
/** The library drops the oldest messages when the context is full; an answer ends before that. */
const reservedTokens = 4

const hasOnlyMetal = process.platform === 'darwin' && process.arch === 'arm64'

/** @throws Error when llama.cpp cannot read the file as a model, or when memory is short */
export async function loadModel(request: LoadRequest): Promise<LoadedModel> {
  const { file, contextTokens, usesGpu } = request
  checkHead(file)
  const threads = threadsFor(usableCores())
  const { LlamaChat, resolveChatWrapper } = await import('node-llama-cpp')
  const llama = await openLlama(threads, usesGpu)
  const model = await llama.loadModel({ modelPath: file, ...(usesGpu ? {} : { gpuLayers: 0 }) })
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
    { signal, onText }: GenerateOptions,
  ): Promise<GenerationResult> {
    const history = toHistory(generation.messages)
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history })
    const prompt = contextText.tokenize(model.tokenizer)
    const room = context.contextSize - prompt.length - reservedTokens
    if (room < 1) throw new PromptTooLong(prompt.length)

    await readPrompt(sequence, prompt.slice(0, -1), { most: threads.prompt, signal })
    llama.maxThreads = Math.min(llama.maxThreads, threads.generation)
    const before = sequence.tokenMeter.getState()
    const loop = generation.endsLoops ? new EndlessLoop() : null
    const { metadata } = await chat.generateResponse(history, {
      ...sampling(generation),
      ...(generation.json ? { grammar: await grammarFor(llama, generation.json) } : {}),
      ...(generation.mayReason ? {} : { budgets: { thoughtTokens: 0 } }),
      maxTokens: Math.min(generation.maxTokens ?? room, room),
      signal: loop ? AbortSignal.any([signal, loop.signal]) : signal,
      stopOnAbortSignal: true,
      onResponseChunk({ text, type }) {
        loop?.add(text)
        onText(text, type === 'segment')
      },
    })
    signal.throwIfAborted()
    return {
      finishReason: ['maxTokens', 'abort'].includes(metadata.stopReason) ? 'length' : 'stop',
      promptTokens: prompt.length,
      completionTokens: sequence.tokenMeter.diff(before).usedOutputTokens,
    }
  }

  return {
    threads: threads.prompt,
    contextTokens: context.contextSize,
    gpu: usesGpu ? await gpuOf(llama) : null,
    facts: factsOf(model.fileInfo),
    generate,
  }
}

/** The graphics processor that a model would use. @throws Error when llama.cpp cannot be started */
export async function findGpu(): Promise<Gpu | null> {
  return await gpuOf(await openLlama(threadsFor(usableCores()), true))
}

/**
 * Opens llama.cpp; without a usable graphics processor, the library falls back to the processor. For Macs with Apple
 * chips there is only one build, which has Metal; without graphics processor, it loads no layers onto it.
 */
async function openLlama(threads: Threads, usesGpu: boolean): Promise<Llama> {
  // Imported here and not at the top, so that a missing binary causes an error message, not a dead process.
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  return await getLlama({
    gpu: usesGpu || hasOnlyMetal ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads.prompt,
    logLevel: LlamaLogLevel.disabled,
  })
}

async function gpuOf(llama: Llama): Promise<Gpu | null> {
  if (llama.gpu === false) return null
  return { kind: llama.gpu, devices: await llama.getGpuDeviceNames() }
}

/**
 * Reads the part of the prompt that the sequence does not hold yet. It uses more than one thread only while
 * nothing else needs the cores, because a thread that loses its core delays all the others at every step:
 * during a build, 2 threads on 2 cores read 200 tokens in 2 to 11 s, one thread in 1.0 to 1.5 s. So one thread
 * reads the first slice, and after a delayed slice one thread reads the rest.
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

/** The grammar leaves constraints that it cannot express, such as bounds of numbers, to the model. */
async function grammarFor(llama: Llama, { schema }: NonNullable<Generation['json']>) {
  if (schema === null) return await llama.getGrammarFor('json')
  // Checked boundary: the library ignores or refuses the parts of a caller's schema that it does not know.
  return await llama.createGrammarForJsonSchema(schema as { type: 'object' })
}

/** Measures whether this many threads got clearly less than their cores' full time since the call. */
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
 * The file's own chat template. By default, the library uses its ChatML for SmolLM2, without the template's
 * default system prompt and with a second `<|im_start|>`: the model then answers "Hi" with an invented news
 * item. For files without a template, the library chooses one.
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
    // The wire's default temperature is 1, at which a small model drifts into rare tokens. In six runs of a
    // question for the capital of France, it named Paris five times at llama.cpp's own 0.05 and six times from
    // 0.2 on. A caller that sets top_p sets the cut itself.
    ...(topP === null ? { minP: 0.3 } : { minP: 0.05, topP }),
    // The library's default seed is the time in seconds: two answers within one second would be the same.
    seed: seed === null ? randomInt(2 ** 31) : Math.abs(seed),
    customStopTriggers: stop,
    repeatPenalty: { presencePenalty, frequencyPenalty },
  }
}
