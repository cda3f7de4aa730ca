export interface Address {
  street: string
  city: string
  state?: string
  zipCode: string
  country: string
}
