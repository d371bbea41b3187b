import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentClient } from '../agent-client.ts'

/** The program is in the package of the platform; its start file needs an install script, which is not run. */
const program = `opencode-${process.platform}-${process.arch}`

/** The AI SDK's package for each form; all are part of opencode. */
const packageOf = {
  chat: '@ai-sdk/openai-compatible',
  responses: '@ai-sdk/openai',
  messages: '@ai-sdk/anthropic',
} as const

export const openCode = agentClient({
  id: 'opencode',
  name: 'opencode',
  packages: { from: 'npm', versions: { 'opencode-ai': '1.18.33' } },
  doors: ['chat', 'responses', 'messages'],
  errors: (door) => ({
    401: /The API key is missing or invalid/,
    404: /This router does not have the model "no-such-model"/,
    // At the other doors it waits for the whole `retry-after` before each attempt.
    ...(door === 'responses' && {
      429: /This router has served its 1 requests for today/,
      503: /No model of this router could answer/,
    }),
  }),
  prepare: async (job, { bed, installed }) => {
    const { door, routerUrl, apiKey, model, prompt, folder, home, isContinued } = job
    const context = job.compactsAtTokens ?? 100_000
    const config = join(home, 'opencode.json')
    const modelport = {
      npm: packageOf[door],
      options: { baseURL: `${routerUrl}/v1`, apiKey },
      models: { [model]: { limit: { context, output: 8_000 } } },
    }
    await writeFile(config, JSON.stringify({ autoupdate: false, provider: { modelport } }))
    return {
      command: join(installed, 'node_modules', program, 'bin', 'opencode'),
      args: [
        'run',
        ...(isContinued === true ? ['--continue'] : []),
        '--model',
        `modelport/${model}`,
        prompt,
      ],
      cwd: folder,
      env: {
        OPENCODE_CONFIG: config,
        NODE_EXTRA_CA_CERTS: bed.caFile,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      },
    }
  },
})
