import type { Tier } from '../../../../shared/entities.ts'
import { routerFields } from '../../../../shared/routers/router-fields.ts'
import { RadioCards } from '../../components/radio-cards.tsx'
import { errorOf } from '../../stores/client.ts'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

const tierChoices: readonly { value: Tier; label: string; hint: string }[] = [
  { value: 'free', label: t('Free'), hint: t('100 requests per day') },
  { value: 'pro', label: t('Pro'), hint: t('10,000 requests per day') },
  { value: 'enterprise', label: t('Enterprise'), hint: t('Custom limit or none') },
]

/** A router's tier, which decides how many requests it answers in a day. */
export function TierField({ texts, error, change }: RouterFields) {
  return (
    <RadioCards
      label={routerFields.tier.label}
      choices={tierChoices}
      value={texts.tier}
      error={errorOf(error, 'tier')}
      onChange={(tier) => change({ tier })}
    />
  )
}
