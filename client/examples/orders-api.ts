import { Controller, Get, Module, Post } from '@nestjs/common';
import { Caller, GatehouseModule, ProtectedResource, RequireSignIn } from '@gatehouse/client/nestjs';
import type { AccessToken } from '@gatehouse/client/verifier';

@Controller('orders')
@ProtectedResource('orders:read')
class OrderController {
  @Get()
  list(@Caller() { userId, tenantId }: AccessToken) {
    return { ordersOf: userId, in: tenantId };
  }

  @Post('payments')
  @ProtectedResource('orders:read', 'orders:pay')
  @RequireSignIn({ acr: 'aal2', maxAge: 900 }) // else 401, and the client asks for a step-up
  pay() {
    return { paid: true };
  }
}

/**
 * @param issuer `https://id.example.com`; `url` where the application reaches it by another one
 * @param tenantId organization whose orders these are
 */
export function ordersApi(issuer: string, tenantId: string, url = issuer) {
  const audience = 'https://orders.example.com/api'; // the identifier of the API
  const resource = { name: 'Orders', scopes: ['orders:read', 'orders:pay'] };
  @Module({
    imports: [GatehouseModule.forRoot({ issuer, url, audience, tenantId, clients: 'any', resource })],
    controllers: [OrderController],
  })
  class OrdersApi {}
  return OrdersApi;
}
