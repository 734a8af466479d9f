#ifndef LAYER_H
#define LAYER_H

void layer_broadcast(int* values, int n);
void layer_send(const int* values, int n, int to);
void layer_receive(int* values, int n, int from);
void layer_gather(const int* mine, int* all, int ranks);

#endif
