export const custodianStatuses = ['ACTIVE', 'INACTIVE'] as const
export type CustodianStatus = (typeof custodianStatuses)[number]
