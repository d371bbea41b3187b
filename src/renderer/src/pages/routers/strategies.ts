import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { strategyNames } from '../../../../shared/routers/strategy-names.ts'

/** The strategies as a form offers them. */
export const strategyChoices = strategyNames.map((value) => ({
  value,
  label: strategyProfiles[value].label,
  hint: strategyProfiles[value].description,
}))
