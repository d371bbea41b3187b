import { formatCount } from '../../../../shared/strings/format.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { strategyNames } from '../../../../shared/routers/strategy-names.ts'
import { Card } from '../../components/page.tsx'
import { errorOf } from '../../stores/client.ts'
import { ErrorText } from '../../components/field.tsx'
import type { Replay } from '../../stores/replay.ts'
import { StrategyChips } from './strategy-chips.tsx'
import type { RouterEditor } from './use-router-editor.ts'
import { useWhatIf } from './use-what-if.ts'
import { changesOf, changeSentence } from './what-if-words.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const period = { newest: 200 }

/** Changes the strategy beside the figures, and says at once what that would have changed. */
export function StrategySwitch({ editor }: { editor: RouterEditor }) {
  const { routerId, texts, saved, changed, change, error } = editor
  const replay = useWhatIf(routerId, { texts, saved }, period)
  return (
    <Card className="flex flex-col gap-2.5 px-4 py-3">
      <StrategyChips
        choices={strategyNames.map((value) => ({ value, ...strategyProfiles[value] }))}
        value={texts.strategy}
        onChange={(strategy) => change({ strategy })}
      />
      <p aria-live="polite" aria-busy={replay?.isLoading ?? true} className="text-sm text-muted">
        {changed.length === 0 ? (
          strategyProfiles[texts.strategy].description
        ) : (
          <Effect replay={replay} />
        )}
      </p>
      <ErrorText>{errorOf(error, 'strategy')}</ErrorText>
    </Card>
  )
}

function Effect({ replay }: { replay: Replay | undefined }) {
  if (replay?.error) return t('Complete the settings to see their effect.')
  if (!replay?.report || !replay.base) return t('Replaying requests…')
  const { replayed, requests, skipped } = replay.report
  if (requests === 0) return t('No requests yet to estimate the effect of this change.')
  if (replayed === 0 && skipped.no_model > 0) return t('No model could take the last requests.')
  if (replayed === 0) return t('None of the last requests can be compared.')
  return (
    <>
      {rich(
        'Estimate for the last {count, plural, one {request} other {# requests}}, unsaved against saved settings: {changes}.',
        {
          count: replayed,
          changes: (
            <strong className="font-medium text-ink tabular-nums">
              {changeSentence(changesOf(replay.report, replay.base))}
            </strong>
          ),
        },
      )}{' '}
      {skipped.no_model > 0 &&
        t('{refused} would have been refused.', { refused: formatCount(skipped.no_model) })}
    </>
  )
}
