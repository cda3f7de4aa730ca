import type { components } from '#types/main-api'
import { useRead } from '../../api/read'
import { main } from '../../api/services'

export type ApiKey = components['schemas']['ApiKeyFacts']

/** The keys of an institution, masked, the newest first: at most 20. */
export const useApiKeys = (id: string) =>
  useRead(['api-keys', id], (signal) => main.GET('/participants/{id}/api-keys', { params: { path: { id } }, signal }), {
    select: ({ data }) => data,
    enabled: id !== '',
    refetchInterval: 60_000,
  })

export const isValid = ({ status }: ApiKey): boolean => status === 'valid'

const warningMs = 30 * 86_400_000
/** Less than 30 days are left of a valid key. */
export const endsSoon = (key: ApiKey): boolean => isValid(key) && Date.parse(key.validUntil) - Date.now() < warningMs
