import type { ReactNode } from 'react'
import type { Tier } from '../../../../shared/entities.ts'
import { NumberField } from '../../components/number-field.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { rich } from '../../components/rich.tsx'
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
      label={t('Tier')}
      choices={tierChoices}
      value={texts.tier}
      error={errorOf(error, 'tier')}
      onChange={(tier) => change({ tier })}
    />
  )
}

interface DailyLimitFieldProps extends RouterFields {
  /** What the limit would have done in the past. */
  dayEffect?: ReactNode
}

/** The daily limit of the enterprise tier; the other tiers have limits of their own. */
export function DailyLimitField({ texts, error, change, dayEffect }: DailyLimitFieldProps) {
  if (texts.tier !== 'enterprise') return null
  return (
    <NumberField
      label={t('Requests per day')}
      hint={
        <>
          {rich('Counted from midnight UTC. Leave empty for no limit. {dayEffect}', { dayEffect })}
        </>
      }
      isWhole
      value={texts.dailyLimit}
      error={errorOf(error, 'dailyLimit')}
      onChange={(dailyLimit) => change({ dailyLimit })}
    />
  )
}
