/** Which model gave a proof of reasoning is still known after a restart: a session's steps have short hashes of them. */
import { expect, onTestFinished, test } from 'vitest'
import { ProofAuthors } from '../../src/service/chat/kept-answers/proof-authors.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { seeded } from '../agents/random.ts'
import { startTestService } from '../test-service.ts'
import { responsesFormat } from '../upstreams/openai-responses/fake.ts'
import { startStrictVendor } from './strict-vendor.ts'
import { responsesRules } from './vendor-rules.ts'

const model = 'gpt:gpt-5.5'
const headers = { 'user-agent': 'codex_cli_rs/0.171.0', 'session-id': 's-1', 'thread-id': 's-1' }

test.each([false, true])(
  'proofs of answers are kept with their model (stream: %s)',
  async (stream) => {
    const started = await startTestService()
    const chance = seeded(3)
    const vendor = await startStrictVendor(responsesFormat, {
      rules: responsesRules,
      chance: () => chance,
    })
    const { dashboard } = started.service
    await dashboard.addProvider({
      id: 'gpt',
      type: 'openai',
      baseUrl: `${vendor.server.origin}/v1`,
      apiKey: 'sk-test',
      options: { api: 'responses' },
    })
    await dashboard.saveModel({ id: model, inputUsdPerMtok: 1, outputUsdPerMtok: 2 })
    await dashboard.updateRouter(started.routerId, {
      name: 'Test',
      strategy: 'priority',
      models: [model],
    })
    const proofs: string[] = []
    for (let step = 0; step < 6; step += 1) {
      const body = { input: `Step ${step}`, store: false, stream }
      const text = await (await started.post('v1/responses', body, { headers })).text()
      proofs.push(
        ...[...text.matchAll(/"encrypted_content":"([^"]+)"/g)].map(([, proof = '']) => proof),
      )
    }
    await started.ledger(6)
    const storage = await openStorage({ dataDir: started.dataDir })
    onTestFinished(() => storage.close())

    const authors = new ProofAuthors(await storage.ledger.givenProofs({ sinceMs: 0, limit: 100 }))

    expect(new Set(proofs).size).toBeGreaterThan(2)
    for (const proof of proofs) {
      expect(authors.isForeign(proof, 'gpt:another')).toBe(true)
      expect(authors.isForeign(proof, model)).toBe(false)
    }
    expect(authors.isForeign('of nobody', 'gpt:another')).toBe(false)
    const steps = await storage.ledger.ofSession('s-1')
    expect(steps.map(({ sessionStep }) => sessionStep).join()).not.toContain(proofs[0])
  },
)
