import { PageTabs } from '../../components/page-tabs.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The models, and the providers that run them. */
export function ModelTabs({ open }: { open: 'models' | 'providers' }) {
  return (
    <PageTabs
      label={t('Views')}
      parameter="view"
      open={open}
      tabs={[
        { name: 'models', title: t('Models') },
        { name: 'providers', title: t('Providers') },
      ]}
    />
  )
}
