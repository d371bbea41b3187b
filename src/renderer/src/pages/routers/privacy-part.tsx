import { Note } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { errorOf } from '../../stores/client.ts'
import type { RoutingFieldsProps } from './choosing-fields.tsx'
import { Part } from './part.tsx'
import { routingFieldsOf } from './routing-fields-of.ts'
import type { RouterFields } from './use-router-editor.ts'
import { AllowedPlaces } from './who-may-answer.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function PrivacyPart(fields: RouterFields) {
  const routing = routingFieldsOf(fields)
  return (
    <Part
      title={t('Privacy')}
      intro={t('Where prompts may be sent, and whether their text is stored.')}
    >
      <AllowedPlaces models={fields.texts.models} {...routing} />
      <ContentField {...routing} />
    </Part>
  )
}

function ContentField({ texts, error, onChange }: RoutingFieldsProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label={t('Content logging')}
          unit={t('days')}
          hint={t(
            'Stores prompts and answers. Leave empty to turn off; saving then deletes stored content, and an undo does not bring it back.',
          )}
          isWhole
          value={texts.contentDays}
          error={errorOf(error, 'routing.contentDays')}
          onChange={(text) => onChange({ ...texts, contentDays: text })}
        />
      </div>
      {texts.contentDays.trim() !== '' && (
        <Note kind="warn">
          <span className="min-w-0 flex-1">
            {t(
              'Modelport will store the full text of every prompt and answer of this router on this computer. Anyone with access to the data folder can read it.',
            )}
          </span>
        </Note>
      )}
    </div>
  )
}
