import { Note } from '../../components/error-note.tsx'
import { Part } from './part.tsx'
import { TypedField } from './router-field.tsx'
import type { RouterFields } from './use-router-editor.ts'
import { AllowedPlaces } from './who-may-answer.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export function PrivacyPart(fields: RouterFields) {
  return (
    <Part
      title={t('Privacy')}
      intro={t('Where prompts may be sent, and whether their text is stored.')}
    >
      <AllowedPlaces {...fields} />
      <ContentField {...fields} />
    </Part>
  )
}

function ContentField(fields: RouterFields) {
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-4 sm:grid-cols-2">
        <TypedField path="routing.contentDays" {...fields} />
      </div>
      {fields.texts['routing.contentDays'].trim() !== '' && (
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
