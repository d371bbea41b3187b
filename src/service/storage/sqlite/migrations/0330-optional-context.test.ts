import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { openModels } from '../../sql/models.ts'
import { toSql } from '../sqlite-sql.ts'
import { migrate, migrations } from './index.ts'

test('figures of models are kept, and new ones may have no context', async () => {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  const upTo = (last: number) => migrations.filter(({ version }) => version <= last)
  migrate(db, copyTo, upTo(320))
  db.exec(`
    INSERT INTO models (id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, context_tokens,
                        max_output_tokens, capabilities, quality, energy_wh_per_ktok, region, refuses)
    VALUES ('a:old', 1000000000, 2000000000, 8192, 4096, '["tools"]', 0.7, 0.3, 'FRA', '["seed"]')`)

  migrate(db, copyTo, upTo(330))

  const models = openModels(toSql(db))
  await models.save({ id: 'b:new', inputUsdPerMtok: 0, outputUsdPerMtok: 0, capabilities: [] })
  expect(await models.all()).toEqual([
    {
      id: 'a:old',
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens: 8192,
      maxOutputTokens: 4096,
      capabilities: ['tools'],
      quality: 0.7,
      energyWhPerKtok: 0.3,
      region: 'FRA',
      refuses: ['seed'],
    },
    { id: 'b:new', inputUsdPerMtok: 0, outputUsdPerMtok: 0, capabilities: [] },
  ])
})
