/** All formats that can be read. The first that fits reads the file. */
import type { BillFormat } from '../bill.ts'
import { anthropicCsv, anthropicReports } from './anthropic.ts'
import { googleBilling } from './google.ts'
import { openaiCsv, openaiPages } from './openai.ts'
import { openrouterCsv, openrouterJson } from './openrouter.ts'
import { ownCsv } from './own.ts'

export const billFormats: readonly BillFormat[] = [
  openaiPages,
  openaiCsv,
  anthropicReports,
  anthropicCsv,
  openrouterCsv,
  openrouterJson,
  googleBilling,
  ownCsv,
]
