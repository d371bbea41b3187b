import type { Domain } from '../../../shared/app/domains.ts'
import { t } from '../../../shared/strings/strings.ts'

export const domainLabels: Readonly<Record<Domain, string>> = {
  chat_writing: t('Writing'),
  code: t('Code'),
  maths_quant: t('Maths'),
  science_medical: t('Science'),
  law_business: t('Law'),
  humanities_social: t('Humanities'),
  extraction_transform: t('Extraction'),
  other: t('Other'),
}
