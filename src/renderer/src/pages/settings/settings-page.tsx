import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { JSX } from 'react'
import {
  settingsSections,
  type SettingsSectionName,
} from '../../../../shared/app/settings-sections.ts'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Page, Skeleton } from '../../components/page.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { NotFound } from '../../shell/page-failure.tsx'
import { useSettings } from '../../stores/settings.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { DataSection } from './data-section.tsx'
import { DiagnosticsSection } from './diagnostics-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { PrivacySection } from './privacy-section.tsx'
import { ServerSection } from './server-section.tsx'
import { ShortcutsSection } from './shortcuts-section.tsx'
import { ToolsSection } from './tools/tools-section.tsx'
import { UpdatesSection } from './updates-section.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const contents: Readonly<
  Record<SettingsSectionName, (props: { settings: Settings }) => JSX.Element>
> = {
  general: GeneralSection,
  appearance: AppearanceSection,
  server: ServerSection,
  tools: ToolsSection,
  privacy: PrivacySection,
  limits: LimitsSection,
  data: DataSection,
  shortcuts: ShortcutsSection,
  updates: UpdatesSection,
  diagnostics: DiagnosticsSection,
}

/** All settings that have a control in the window, by section. The section is in the address. */
export function SettingsPage() {
  const name = useUrlPart('section')
  const section = settingsSections.find((each) => each.name === name)
  const { settings, error, load } = useSettings()
  if (!section) return <NotFound />
  const Content = contents[section.name]
  return (
    <Page title={t('Settings')} width="wide">
      <div className="flex flex-col gap-5 min-[50rem]:flex-row min-[50rem]:gap-8">
        <SectionLinks />
        <div className="flex min-w-0 max-w-4xl flex-1 flex-col gap-5">
          <h2 className="flex h-8 items-center text-lg font-semibold">{section.title}</h2>
          {error && <ErrorNote error={error} onRetry={() => void load()} />}
          {!settings && !error && <Skeleton>{t('Loading settings…')}</Skeleton>}
          {settings && <Content settings={settings} />}
        </div>
      </div>
    </Page>
  )
}

const linkClass =
  'flex min-h-8 items-center gap-1.5 rounded-md px-2.5 py-1 text-sm text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Beside the section; above it in a narrow window. */
function SectionLinks() {
  return (
    <nav
      aria-label={t('Settings')}
      className="shrink-0 min-[50rem]:sticky min-[50rem]:top-0 min-[50rem]:w-44 min-[50rem]:self-start"
    >
      <ul className="flex flex-wrap gap-0.5 min-[50rem]:flex-col min-[50rem]:flex-nowrap">
        {settingsSections.map(({ name, title }) => (
          <li key={name}>
            <Link to="/settings/$section" params={{ section: name }} className={linkClass}>
              {title}
            </Link>
          </li>
        ))}
        <li className="min-[50rem]:mt-1 min-[50rem]:border-t min-[50rem]:border-line min-[50rem]:pt-1">
          <Link to="/connect" search={{ show: 'keys' }} className={linkClass}>
            {t('API Keys')}
            <ArrowUpRight size={13} aria-hidden />
          </Link>
        </li>
      </ul>
    </nav>
  )
}
