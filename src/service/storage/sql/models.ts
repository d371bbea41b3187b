import { z } from 'zod'
import { capabilityNames, refusableParameters } from '../../../shared/models/model-abilities.ts'
import type { StoredModel } from '../storage.ts'
import { readJson } from './json-column.ts'
import { toNanoUsd, toUsd } from './money.ts'
import type { Sql } from './sql.ts'

interface ModelRow {
  id: string
  inputNanoUsdPerMtok: number
  outputNanoUsdPerMtok: number
  contextTokens: number | null
  maxOutputTokens: number | null
  capabilities: string
  quality: number | null
  energyWhPerKtok: number | null
  region: string | null
  refuses: string | null
}

const capabilitiesSchema = z.array(z.enum(capabilityNames))
const refusesSchema = z.array(z.enum(refusableParameters))

/** A user's own figures for models. */
export function openModels(sql: Sql) {
  const selectAll = sql.prepare<[], ModelRow>(`
    SELECT id, input_nano_usd_per_mtok AS "inputNanoUsdPerMtok",
           output_nano_usd_per_mtok AS "outputNanoUsdPerMtok", context_tokens AS "contextTokens",
           max_output_tokens AS "maxOutputTokens", capabilities, quality,
           energy_wh_per_ktok AS "energyWhPerKtok", region, refuses
    FROM models ORDER BY id`)
  const save = sql.prepare<ModelRow>(`
    INSERT INTO models (id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, context_tokens,
                        max_output_tokens, capabilities, quality, energy_wh_per_ktok, region,
                        refuses)
    VALUES (:id, :inputNanoUsdPerMtok, :outputNanoUsdPerMtok, :contextTokens,
            :maxOutputTokens, :capabilities, :quality, :energyWhPerKtok, :region, :refuses)
    ON CONFLICT (id) DO UPDATE SET
      input_nano_usd_per_mtok = excluded.input_nano_usd_per_mtok,
      output_nano_usd_per_mtok = excluded.output_nano_usd_per_mtok,
      context_tokens = excluded.context_tokens,
      max_output_tokens = excluded.max_output_tokens,
      capabilities = excluded.capabilities,
      quality = excluded.quality,
      energy_wh_per_ktok = excluded.energy_wh_per_ktok,
      region = excluded.region,
      refuses = excluded.refuses`)
  const remove = sql.prepare<[string]>('DELETE FROM models WHERE id = ?')

  return {
    all: async () => (await selectAll.all()).map(toModel),
    save: async (model: StoredModel): Promise<void> => {
      await save.run(toRow(model))
    },
    remove: async (id: string) => (await remove.run(id)).changes > 0,
  }
}

function toRow(model: StoredModel): ModelRow {
  return {
    id: model.id,
    inputNanoUsdPerMtok: toNanoUsd(model.inputUsdPerMtok),
    outputNanoUsdPerMtok: toNanoUsd(model.outputUsdPerMtok),
    contextTokens: model.contextTokens ?? null,
    maxOutputTokens: model.maxOutputTokens ?? null,
    capabilities: JSON.stringify(model.capabilities ?? []),
    quality: model.quality ?? null,
    energyWhPerKtok: model.energyWhPerKtok ?? null,
    region: model.region ?? null,
    refuses: model.refuses ? JSON.stringify(model.refuses) : null,
  }
}

function toModel(row: ModelRow): StoredModel {
  return {
    id: row.id,
    inputUsdPerMtok: toUsd(row.inputNanoUsdPerMtok),
    outputUsdPerMtok: toUsd(row.outputNanoUsdPerMtok),
    contextTokens: row.contextTokens ?? undefined,
    maxOutputTokens: row.maxOutputTokens ?? undefined,
    capabilities: readJson(row.capabilities, capabilitiesSchema),
    quality: row.quality ?? undefined,
    energyWhPerKtok: row.energyWhPerKtok ?? undefined,
    region: row.region ?? undefined,
    refuses: row.refuses === null ? undefined : readJson(row.refuses, refusesSchema),
  }
}
