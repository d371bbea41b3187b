import { errorOf } from '../../stores/client.ts'
import { RequiredCapabilities } from './who-may-answer.tsx'
import { ModelPicker } from './model-picker.tsx'
import { Part } from './part.tsx'
import type { RouterFields } from './use-router-editor.ts'
import { t } from '../../../../shared/strings/strings.ts'

export function ModelsPart(fields: RouterFields) {
  const { texts, error, change } = fields
  return (
    <Part title={t('Models')} intro={t('The router chooses one of these models for each request.')}>
      <ModelPicker
        strategy={texts.strategy}
        chosen={texts.models}
        error={errorOf(error, 'models')}
        onChange={(models) => change({ models: [...models] })}
      />
      <RequiredCapabilities {...fields} />
    </Part>
  )
}
