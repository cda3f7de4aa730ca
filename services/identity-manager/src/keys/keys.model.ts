import { getPublicKeys, rotateSigningKeys } from '@bursar/contracts/identity-manager'

export { KeyRotation } from '@bursar/contracts/identity-manager'

export const PublicKeys = getPublicKeys.answer
export const Rotated = rotateSigningKeys.answer
