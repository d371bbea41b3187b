import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentClient, type Job } from '../agent-client.ts'

export const codex = agentClient({
  id: 'codex',
  name: 'Codex CLI',
  packages: { from: 'npm', versions: { '@openai/codex': '0.171.0' } },
  doors: ['responses'],
  errors: () => ({
    401: /unexpected status 401 Unauthorized: The API key is missing or invalid/,
    404: /This router does not have the model "no-such-model"/,
    429: /hit your usage limit\. Try again at/,
    503: /unexpected status 503 Service Unavailable: No model of this router could answer/,
  }),
  prepare: async (job, { bed, installed }) => {
    const { apiKey, prompt, folder, home, isContinued } = job
    const codexHome = join(home, '.codex')
    await mkdir(codexHome, { recursive: true })
    await writeFile(join(codexHome, 'config.toml'), configuration(job))
    // The scratch folder is the sandbox: containers often lack what Codex's own one needs.
    const unattended = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
    return {
      command: join(installed, 'node_modules', '.bin', 'codex'),
      args: ['exec', ...unattended, ...(isContinued === true ? ['resume', '--last'] : []), prompt],
      cwd: folder,
      env: { CODEX_HOME: codexHome, MODELPORT_KEY: apiKey, CODEX_CA_CERTIFICATE: bed.caFile },
    }
  },
})

function configuration({ routerUrl, model, compactsAtTokens }: Job): string {
  const limit =
    compactsAtTokens === undefined ? '' : `model_auto_compact_token_limit = ${compactsAtTokens}\n`
  return `model = "${model}"
model_provider = "modelport"
${limit}[model_providers.modelport]
name = "Modelport"
base_url = "${routerUrl}/v1"
env_key = "MODELPORT_KEY"
wire_api = "responses"
`
}
