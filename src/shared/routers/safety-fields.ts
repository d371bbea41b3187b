/** The setting of a router for coding agents' checks of actions. */
import { t } from '../strings/strings.ts'

export const safetyFields = {
  'routing.safetyModel': {
    kind: 'text',
    label: t('Safety model'),
    hint: t(
      'Answers Claude Code’s checks of actions in auto mode when this router does not have the model that they name. Choose one that answers without reasoning.',
    ),
    placeholder: t('None: the first model of the list answers them'),
    option: '--safety-model <model|none>',
    help: 'the model that answers Claude Code’s separate checks of actions, unless the router has the model that a check names',
    heading: 'SAFETY MODEL',
  },
} as const
