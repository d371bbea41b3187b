import { PageTabs } from '../../components/page-tabs.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Routers and agents: programs call both as a model. */
export function CallableTabs({ open }: { open: 'routers' | 'agents' }) {
  return (
    <PageTabs
      label={t('Views')}
      parameter="view"
      open={open}
      tabs={[
        { name: 'routers', title: t('Routers') },
        { name: 'agents', title: t('Agents') },
      ]}
    />
  )
}
