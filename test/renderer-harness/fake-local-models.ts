import type { LocalModelInfo } from '../../src/shared/models/local-models.ts'
import { Refusal, type HandlersOf } from './handlers.ts'
import type { Scene } from './scene.ts'

/** The calls about local models. A download stays where it begins. */
export function localModelsHandlers(scene: Scene): HandlersOf<`local-models:${string}`> {
  const change = (name: string, state: LocalModelInfo['state']) => {
    const model = scene.localModels.find((listed) => listed.name === name)
    if (!model) throw new Refusal('not_found', `There is no local model "${name}".`)
    model.state = state
  }
  return {
    'local-models:list': () => scene.localModels,
    'local-models:download': ({ name }) =>
      change(name, { kind: 'downloading', receivedBytes: 210_000_000 }),
    'local-models:pause': ({ name }) =>
      change(name, { kind: 'paused', receivedBytes: 210_000_000 }),
    'local-models:remove': ({ name }) => change(name, { kind: 'available' }),
    'local-models:add-file': () => {
      throw new Refusal('invalid', 'The file is not a model (GGUF): /home/user/notes.gguf')
    },
  }
}

/** Each state that a model can have. */
export function exampleLocalModels(): LocalModelInfo[] {
  const licence = { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
  const model = (title: string, sizeBytes: number, state: LocalModelInfo['state']) => ({
    name: title.toLowerCase().replaceAll(' ', '-'),
    title,
    origin: 'offered' as const,
    licence,
    sizeBytes,
    activeShare: 1,
    contextTokens: 8192,
    memoryBytes: sizeBytes + 1_300_000_000,
    isTooLarge: sizeBytes > 3_000_000_000,
    file: `/home/user/.cache/modelport/models/${title}.gguf`,
    state,
    isLoaded: false,
  })
  const changed = 'The file has changed. Remove the model and add it again.'
  return [
    { ...model('SmolLM2 135M', 98_362_432, { kind: 'installed' }), origin: 'built-in' },
    model('SmolLM2 360M', 386_404_992, { kind: 'available' }),
    model('Qwen3 0.6B', 639_446_688, { kind: 'downloading', receivedBytes: 402_000_000 }),
    model('SmolLM2 1.7B', 1_055_609_536, { kind: 'paused', receivedBytes: 120_000_000 }),
    { ...model('Qwen3 1.7B', 1_834_426_016, { kind: 'installed' }), isLoaded: true },
    model('Qwen3 4B', 2_497_280_256, {
      kind: 'failed',
      receivedBytes: 900_000_000,
      message: 'huggingface.co sent nothing for 30 s.',
    }),
    {
      ...model('Otter 7B Instruct', 4_100_000_000, { kind: 'unusable', message: changed }),
      origin: 'own',
      licence: null,
    },
  ]
}
