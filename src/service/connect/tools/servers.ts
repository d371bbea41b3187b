/** Applications that run as servers, often in containers. */
import { openaiUrl, type Connection, type Tool } from '../tool.ts'
import { environmentSnippet } from '../shell.ts'
import { containerNotes, dockerOptions, hostName } from './containers.ts'

export const openWebUi: Tool = {
  id: 'open-webui',
  name: 'Open WebUI',
  kind: 'app',
  door: 'chat',
  userAgent: null,
  verified: 'unverified',
  documentation:
    'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible',
  snippets: (connection) => [
    environmentSnippet('Start it without a container', openWebUiVariables(connection), connection),
    {
      title: 'Or in a container',
      language: 'sh',
      text: `docker run -d -p 3000:8080 -v open-webui:/app/backend/data \\
${dockerOptions(connection, 'SSL_CERT_FILE', connection.caBundleFile)}
  -e OPENAI_API_BASE_URL=${fromContainer(connection)} \\
  -e OPENAI_API_KEY \\
  ghcr.io/open-webui/open-webui:main
`,
    },
  ],
  program: {
    command: 'open-webui',
    environment: (connection) => ({ set: openWebUiVariables(connection), unset: [] }),
  },
  notes: [
    'modelport run open-webui -- serve starts it with these settings.',
    'Open WebUI keeps the address and the key of its first start. Change them later in its admin settings under Connections.',
    ...containerNotes,
  ],
}

function openWebUiVariables(connection: Connection) {
  return {
    OPENAI_API_BASE_URL: openaiUrl(connection),
    OPENAI_API_KEY: connection.key,
    SSL_CERT_FILE: connection.caBundleFile,
  }
}

export const libreChat: Tool = {
  id: 'librechat',
  name: 'LibreChat',
  kind: 'app',
  door: 'chat',
  userAgent: null,
  verified: 'loaded',
  documentation: 'https://www.librechat.ai/docs/quick_start/custom_endpoints',
  snippets: (connection) => [
    {
      title: 'Add to librechat.yaml',
      language: 'yaml',
      text: `version: 1.2.1
endpoints:
  custom:
    - name: 'Modelport'
      apiKey: '\${MODELPORT_API_KEY}'
      baseURL: '${fromContainer(connection)}'
      models:
        default: ['auto']
        fetch: true
      titleConvo: true
      titleModel: 'auto'
`,
    },
    {
      title: 'Add to .env',
      language: 'text',
      text: `MODELPORT_API_KEY=${connection.key}\nNODE_EXTRA_CA_CERTS=/modelport-ca.pem\n`,
    },
    {
      title: 'Add to docker-compose.override.yml',
      language: 'yaml',
      text: `services:
  api:
    extra_hosts:
      - '${hostName}:host-gateway'
    volumes:
      - type: bind
        source: ./librechat.yaml
        target: /app/librechat.yaml
      - type: bind
        source: ${connection.caFile}
        target: /modelport-ca.pem
`,
    },
  ],
  notes: containerNotes,
}

export const n8n: Tool = {
  id: 'n8n',
  name: 'n8n',
  kind: 'app',
  door: 'chat',
  userAgent: null,
  verified: 'unverified',
  documentation: 'https://docs.n8n.io/integrations/builtin/credentials/openai/',
  snippets: (connection) => [
    {
      title: 'Create a credential of the type OpenAI',
      language: 'text',
      text: `API Key   ${connection.key}
Base URL  ${openaiUrl(connection)}
`,
    },
    environmentSnippet(
      'Start n8n with the certificate',
      { NODE_EXTRA_CA_CERTS: connection.caFile },
      connection,
    ),
    {
      title: 'Or in a container, with the base URL of the host',
      language: 'sh',
      text: `docker run -it --rm -p 5678:5678 -v n8n_data:/home/node/.n8n \\
${dockerOptions(connection, 'NODE_EXTRA_CA_CERTS', connection.caFile)}
  docker.n8n.io/n8nio/n8n
# Base URL in the credential: ${fromContainer(connection)}
`,
    },
  ],
  notes: ['In the OpenAI Chat Model node, enter “auto” as the model’s id.', ...containerNotes],
}

/** The address as a container sees it; on Linux it shares the host's network. */
function fromContainer(connection: Connection): string {
  if (connection.platform === 'linux') return openaiUrl(connection)
  return openaiUrl(connection).replace('//localhost', `//${hostName}`)
}
