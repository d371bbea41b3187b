import { strategyNames, strategyProfiles } from '../../../../shared/routers/strategies.ts'

/** The strategies as a form offers them. */
export const strategyChoices = strategyNames.map((value) => ({
  value,
  label: strategyProfiles[value].label,
  hint: strategyProfiles[value].description,
}))
