import { expect, test } from 'vitest'
import { azureAddress } from './address.ts'

const resource = 'https://acme.openai.azure.com'

test.each([
  [resource],
  [`${resource}/`],
  [`${resource}/openai`],
  [`${resource}/openai/v1`],
  [`${resource}/openai/v1/`],
  [`${resource}/openai/v1/chat/completions`],
])('%s without a version is the newer form', (url) => {
  expect(azureAddress(url, undefined)).toEqual({
    baseUrl: `${resource}/openai/v1`,
    resource,
    hasDeploymentInPath: false,
    apiVersion: null,
  })
})

test.each([
  [
    `${resource}/openai/deployments/chat/chat/completions?api-version=2025-01-01-preview`,
    undefined,
    '2024-10-21',
  ],
  [`${resource}/openai/deployments/chat`, '2025-03-01-preview', '2025-03-01-preview'],
  [resource, '2024-06-01', '2024-06-01'],
])('%s with the version %s is the older form', (url, version, apiVersion) => {
  expect(azureAddress(url, version)).toEqual({
    baseUrl: `${resource}/openai`,
    resource,
    hasDeploymentInPath: true,
    apiVersion,
  })
})

test('a gateway’s prefix stays, and a version next to /v1 is sent', () => {
  expect(azureAddress('https://api.acme.example/ai/openai/v1', 'preview')).toEqual({
    baseUrl: 'https://api.acme.example/ai/openai/v1',
    resource: 'https://api.acme.example/ai',
    hasDeploymentInPath: false,
    apiVersion: 'preview',
  })
})
