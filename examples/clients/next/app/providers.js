'use client';

import { browserStorage, Gatehouse } from '@gatehouse/client';
import { GatehouseProvider } from '@gatehouse/react';

const gatehouse = new Gatehouse({ url: process.env.NEXT_PUBLIC_GATEHOUSE_URL, storage: browserStorage() });

export const Providers = ({ children }) => (
  <GatehouseProvider client={gatehouse}>{children}</GatehouseProvider>
);
