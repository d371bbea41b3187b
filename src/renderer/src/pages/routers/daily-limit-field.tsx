import { useState, type ReactNode } from 'react'
import { tierDailyLimit, type Tier } from '../../../../shared/entities.ts'
import { formatCount } from '../../../../shared/strings/format.ts'
import { RadioCards } from '../../components/radio-cards.tsx'
import { errorOf } from '../../stores/client.ts'
import { TypedField } from './router-field.tsx'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

const choices = [
  { value: 'free', label: formatCount(tierDailyLimit.free), hint: t('Free tier') },
  { value: 'pro', label: formatCount(tierDailyLimit.pro), hint: t('Pro tier') },
  { value: 'custom', label: t('Custom'), hint: t('Enterprise tier') },
  { value: 'none', label: t('No limit'), hint: t('Enterprise tier') },
] as const

type Choice = (typeof choices)[number]['value']

const tiers: Readonly<Record<Choice, Tier>> = {
  free: 'free',
  pro: 'pro',
  custom: 'enterprise',
  none: 'enterprise',
}

/** How many requests a router answers in a day. Its tier follows from that. */
export function DailyLimitField(fields: RouterFields & { note?: ReactNode }) {
  const { texts, error, change, note } = fields
  const [isCustom, setIsCustom] = useState(texts.dailyLimit !== '')
  const ofEnterprise: Choice = isCustom || texts.dailyLimit !== '' ? 'custom' : 'none'
  const chosen = texts.tier === 'enterprise' ? ofEnterprise : texts.tier
  return (
    <>
      <RadioCards
        label={t('Requests per day')}
        choices={choices}
        value={chosen}
        error={errorOf(error, 'tier')}
        onChange={(choice) => {
          setIsCustom(choice === 'custom')
          change({ tier: tiers[choice], ...(choice === 'none' && { dailyLimit: '' }) })
        }}
      />
      {chosen === 'custom' ? (
        <div className="max-w-80">
          <TypedField path="dailyLimit" {...fields} />
        </div>
      ) : (
        note && <p className="-mt-4 text-xs text-muted">{note}</p>
      )}
    </>
  )
}
